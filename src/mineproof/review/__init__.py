"""What a game was worth: verdicts, luck, metrics, stuck types, chains of influence."""
