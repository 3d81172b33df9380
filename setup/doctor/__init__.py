"""What `mind-skills doctor` looks at. Each module checks one side and says how to mend what it finds; none mends."""
