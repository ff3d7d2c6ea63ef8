"""The lab: experiments that anyone can repeat.

`catalogue` reads experiments from TOML files, `experiment` and `figure` are what they say,
`running` plays them into a `store`; `tables` makes points of the games, `charts` and `pictures`
draw them, `findings` puts them into words, and `report` writes the page.
"""
