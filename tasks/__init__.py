"""Operations that agents and users perform, with typed inputs and outputs; one module per subject."""
