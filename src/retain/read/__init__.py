"""Plain reads: what a caller asks for, how a memory is shown, get, list, history, why."""
