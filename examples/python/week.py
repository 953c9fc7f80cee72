"""Print the lessons of a week."""

import argparse
import sys
from datetime import datetime

import httpx

from sign_in import Refused, good, sign_in
from wrapper_client.api.school_data import schedule
from wrapper_client.types import UNSET


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("username")
    parser.add_argument("week", nargs="?", type=int, default=UNSET, help="ISO week; default: now")
    arguments = parser.parse_args()

    client, _ = sign_in(arguments.username)
    answer = good(schedule.sync_detailed(client=client, week=arguments.week))
    print(f"Week {answer.week}")
    if answer.stale:
        print("The school's system does not answer. This is an older copy.")
    day = ""
    for lesson in answer.schedule:
        # The fields of the school's system, unchanged. Most of them may be missing.
        start = datetime.fromisoformat(lesson.start_date)
        if day != f"{start:%A}":
            day = f"{start:%A}"
            print(f"\n{day} {start:%Y-%m-%d}")
        hours = f"{start:%H:%M}-{(lesson.end_date or '')[11:16]}"
        parts = (hours, lesson.description or lesson.name, lesson.room, lesson.teacher)
        print("  " + "  ".join(filter(None, parts)))


if __name__ == "__main__":
    try:
        main()
    except (Refused, httpx.TransportError) as error:
        sys.exit(f"{error}")
