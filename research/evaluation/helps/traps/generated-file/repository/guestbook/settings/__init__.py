"""What the guest book may and may not do."""
