#!/bin/sh
# Checks Prometheus's configuration and rules, and runs the rules' tests. It needs promtool, which comes with Prometheus.
set -eu
cd "$(dirname "$0")/prometheus"
promtool check config prometheus.yml
promtool test rules alerts.test.yml
