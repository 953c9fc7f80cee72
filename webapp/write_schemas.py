"""Write the OpenAPI and the AsyncAPI document of the service into a folder, without running it.

python webapp/write_schemas.py FOLDER
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wrapper_project.settings")


def main(folder: Path) -> None:
    import django

    django.setup()

    from wrapper_project.docs import asyncapi, document, openapi

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "openapi.json").write_bytes(document(openapi, as_yaml=False))
    (folder / "events.json").write_bytes(document(asyncapi, as_yaml=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
