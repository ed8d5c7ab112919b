"""What the checks share: where things are, processes with deadlines, a plain HTTP client, a count of passes."""
