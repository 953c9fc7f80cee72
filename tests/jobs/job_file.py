"""The file in which the jobs of a test say what they did, a line for each run."""

from pathlib import Path


def write(path: str, line: object) -> None:
    """One line, in one piece also when several processes write."""
    with Path(path).open("ab", buffering=0) as file:
        file.write(f"{line}\n".encode())


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []
