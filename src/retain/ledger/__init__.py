"""The one store: a port, one visibility rule, one filter evaluator, and the databases behind it."""
