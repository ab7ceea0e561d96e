"""Tables of earlier releases, of which this one no longer has the migrations."""

from collections.abc import Collection

from django.db.migrations.loader import MigrationLoader

__all__ = ["why_too_old"]


def why_too_old(applied: Collection[tuple[str, str]]) -> str:
    """Say what to do first where only some of the migrations that one here replaces were applied, else nothing.

    Django would leave such a migration out of its plan, and make no change or only those of other apps.
    """
    done = set(applied)
    words, files = [], []
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        replaced = {tuple(one) for one in migration.replaces}
        if (app, name) not in done and replaced & done and not replaced <= done:
            newest, last = max(replaced & done)[1], max(replaced)[1]
            words.append(f"{app} is at {newest}, and this release goes on from {last}")
            files.append(f"{app}/migrations/{last}.py")
    if not words:
        return ""
    # Of several the one that went first: those that went later are asked for then, where they are still behind.
    return (
        f"The tables are of a release that this one can't update: {'; '.join(words)}. Update to the last release with "
        f"{', '.join(files)} first: start it with bin/run, or run `manage.py migrate` (or `restore`) there, then "
        "come back to this one. In a clone with its whole history this goes to that release, `git checkout -` back:\n"
        f'  git checkout "$(git log --diff-filter=D --format=%H -- {" ".join(files)} | tail -1)^"'
    )
