"""A house of tables for one page: the tables of this device, without a server, answering what a server would answer."""
