#!/bin/sh
# Report that a systemd unit failed: deploy/report_failure.sh wrapper-command@doctor.service
#
# Writes a line with the priority err (journalctl -p err), and mails the last lines of the unit to
# MAIL_TO if that is set. Started by wrapper-failed@.service.
set -eu
[ "$#" -eq 1 ] || { echo "usage: $0 UNIT" >&2; exit 2; }
# The number is the priority, for the journal.
echo "<3>$1 failed: systemctl status $1" >&2
[ -n "${MAIL_TO:-}" ] || exit 0
PATH=$PATH:/usr/sbin:/usr/lib
command -v sendmail >/dev/null || { echo "<3>MAIL_TO is set, but there is no sendmail" >&2; exit 1; }
{
    printf 'To: %s\nSubject: %s failed on %s\n' "$MAIL_TO" "$1" "$(uname -n)"
    printf 'Content-Type: text/plain; charset=utf-8\n\n'
    journalctl --unit "$1" --lines 30 --no-pager --output short-iso
} | sendmail -t
