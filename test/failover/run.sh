#!/usr/bin/env bash
# The first process of its namespace: what ends without a parent becomes its child, and it has to wait for it. PostgreSQL under
# Patroni is such a process. Node would leave it behind as a zombie, which Patroni takes for a running server.
tsx test/failover/run.ts "$@"
exit $?
