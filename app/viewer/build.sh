#!/bin/sh
# Bundles src/ and three.js into one ES module; the output depends on package-lock.json and src/ alone.
# Usage: build.sh [outfile]
set -eu
cd "$(dirname "$0")"
[ -d node_modules/esbuild ] || npm ci --ignore-scripts
node_modules/.bin/esbuild src/index.js --bundle --format=esm --minify --legal-comments=eof --target=es2022 \
    --charset=utf8 --log-level=warning --outfile="${1:-bundle/viewer.bundle.js}"
