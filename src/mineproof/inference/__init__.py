"""What follows from an observation: knowledge bases, search and exact counts; chooses nothing."""
