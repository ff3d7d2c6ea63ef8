"""The lab: experiments that anyone can repeat.

`catalogue` reads experiments (`experiment`, `figure`) from TOML files. `running` plays their
`chunks` into a `store`. `tables` turns the games into points and compares conditions board by
board; `trends` and `verdicts` judge claims by them. `charts` and `maps` draw them with the names
of `names` and the colours of `styles`, and `report` puts everything on a page (`report_page`).
"""
