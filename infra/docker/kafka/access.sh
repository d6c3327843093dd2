#!/bin/sh
# What each service may do with Kafka, set at each start of the broker (docs/adr/0039-least-rights-per-service.md). Everyone
# reads the streams it is subscribed to (libs/contracts/streams.ts) and makes their topics; api and billing publish for all.
set -eu

allow() {
	until KAFKA_HEAP_OPTS=-Xmx64m "${KAFKA_BIN:-/opt/kafka/bin}/kafka-acls.sh" \
		--bootstrap-server "${KAFKA_BOOTSTRAP:-localhost:9092}" \
		--command-config "${KAFKA_ADMIN:-/run/secrets/kafka-admin.properties}" \
		--add --force "$@" >/dev/null; do
		sleep 1
	done
}

all='--topic account.events --topic deployment.events --topic payment.events --topic balance.events --topic support.events'
api=$all
provisioner='--topic deployment.events --topic balance.events'
billing='--topic deployment.events'

# shellcheck disable=SC2086 # lists of options
{
	allow --allow-principal User:api --operation Read $api --group moorage.api
	allow --allow-principal User:provisioner --operation Read $provisioner --group moorage.provisioner
	allow --allow-principal User:billing --operation Read $billing --group moorage.billing
	allow --allow-principal User:provisioner --operation Create --operation DescribeConfigs $provisioner
	allow --allow-principal User:api --allow-principal User:billing \
		--operation Write --operation Create --operation DescribeConfigs $all
}
: >"${KAFKA_READY:-/tmp/access-is-set}"
