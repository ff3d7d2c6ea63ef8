"""Put many games into a pandas DataFrame, one row per game."""

import mineproof

table = mineproof.play_games("exact", "intermediate", count=500, seed=1).to_pandas()
table["won"] = table["result"] == "win"
print(table.groupby("guesses")["won"].agg(["count", "mean"]))
