#!/bin/sh
# Installs the real clients that tests/clients drives, outside the repository.
# MIND_SKILLS_CLIENTS names the folder; default: the cache folder of the user.
set -eu
folder="${MIND_SKILLS_CLIENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/mind-skills-clients}"
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || printf '{"private": true}\n' >package.json

add() { # add PACKAGE VERSION [OPTION]: unless that version is there
    package=$1 version=$2
    shift 2
    if grep -qs "\"version\": \"$version\"" "node_modules/$package/package.json"; then
        echo "$package $version is installed in $folder"
    else
        npm install --no-audit --no-fund --save-exact "$@" "$package@$version"
    fi
}

add @anthropic-ai/claude-code 2.1.332
# The others bring what they need as packages; no script of theirs has to run.
add @openai/codex 0.171.0 --ignore-scripts
add @google/gemini-cli 0.61.0 --ignore-scripts
add opencode-ai 1.18.33 --ignore-scripts
