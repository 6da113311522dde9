"""What a sidecar states of a file: findings, places, losses, verdict, the duty of a reader, rows, and the index of the corpus."""
