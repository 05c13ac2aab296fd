"""The commands of the command line, one file for each group; imported when one of them is invoked."""
