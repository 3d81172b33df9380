"""What leaves a text before it is stored, shown or matched: secrets, personal data, what is invisible."""
