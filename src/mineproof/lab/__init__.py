"""The lab: experiments that anyone can repeat.

`catalogue` reads experiments (`experiment`, `figure`) from TOML files. `running` plays their
`chunks` and saves the games in a `store`. `tables` turns the games into points and compares
conditions board by board. `trends` and `verdicts` judge claims. `charts` and `maps` draw figures
with names from `names` and colours from `styles`. `report` puts everything on one page
(`report_page`).
"""
