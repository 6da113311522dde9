"""The contents of a sidecar: findings, places, losses, verdict, the duty of a reader, rows, and the index of the corpus."""
