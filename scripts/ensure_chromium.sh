#!/usr/bin/env bash
# Install Chromium, which the tests of the page need, unless there is one. If that is not possible without a password,
# the first line says how to install it, and the status is 1.
set -uo pipefail

has_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

install_chromium() {
  local root=()
  command -v apt-get || return 1
  if [ "$(id -u)" != 0 ]; then sudo -n true && root=(sudo -n) || return 1; fi
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
}

has_chromium >/dev/null && exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_chromium >"$log" 2>&1
if has_chromium >/dev/null; then
  echo "Chromium was installed for the tests of the page"
  exit 0
fi
echo "Chromium is not installed, so the tests of the page in a browser are skipped; install it with: sudo apt install chromium (or your system's package manager, such that chromium, chromium-browser or google-chrome is on the PATH)"
tail -n 3 "$log"
exit 1
