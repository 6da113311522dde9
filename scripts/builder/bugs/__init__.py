"""Published bugs: those that vectors test for, and those of writers, with two files each."""
