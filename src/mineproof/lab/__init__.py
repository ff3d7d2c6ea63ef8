"""The lab: experiments that anyone can repeat.

`catalogue` reads experiments from TOML files, `experiment` and `figure` are what they say,
`running` plays them into a `store`. `tables` makes points of the games and compares conditions
board by board; `trends`, `agreement` and `verdicts` judge claims by them, `findings` puts the
rest into words. `charts` and `pictures` draw them (`names` and `looks`: what everything is
called, and its colour), and `report` puts it all on a `page`; `repeat` writes the command that
plays it again.
"""
