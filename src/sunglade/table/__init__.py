"""What a table is: its log, seats, commands, views, bots. The server and a page of its own use these very rooms.

Nothing here needs a framework, a database, NumPy or a network: what they bring (a log, whoever thinks for bots, a
quicker writer of JSON) is handed in.
"""
