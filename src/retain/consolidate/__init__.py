"""From episodes to insights: statements, what recurs among them, what that comes to."""
