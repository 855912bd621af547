"""What people and other programs meet: the command line and the studio."""
