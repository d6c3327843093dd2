import { stringify } from 'yaml';
import type { FirstBootCall } from '../callbacks/first-boot';

/** A file in memory, which does not survive a reboot. */
const CALL_FILE = '/run/moorage-first-boot';
/** Runs in the background for a limited time, so that it neither delays nor fails the boot. */
const CALL = `(timeout 120 curl --config ${CALL_FILE}; rm -f ${CALL_FILE}) >/dev/null 2>&1 &`;

/**
 * The cloud-init text a new server boots with: our key and nobody else's may log in (the customer's is authorised when the
 * deployment begins to cost money: nobody computes for free while the meter is off), and the server shows the host key that we pinned before
 * it existed (decisions 26). User-data stays readable on the server, so the bootstrap replaces that host key over the pinned
 * connection, and brings everything else. A call says that the server has booted, with a token that is good for nothing else.
 */
export function userData({
  authorised,
  hostPrivateKey,
  firstBoot,
}: {
  authorised: string;
  hostPrivateKey: string;
  firstBoot: FirstBootCall | null;
}): string {
  return `#cloud-config\n${stringify({
    disable_root: false,
    ssh_pwauth: false,
    ssh_deletekeys: true,
    ssh_genkeytypes: [],
    ssh_keys: { ed25519_private: hostPrivateKey },
    ssh_authorized_keys: [authorised],
    users: ['default', { name: 'root', ssh_authorized_keys: [authorised] }],
    ...(firstBoot === null ? {} : callOf(firstBoot)),
  })}`;
}

/** The token is in a file that curl reads, so neither a shell nor the list of processes sees it. */
function callOf({ url, token }: FirstBootCall): object {
  const config = [
    `url = "${url}"`,
    `header = "Moorage-First-Boot: ${token}"`,
    'header = "Content-Type: application/json"',
    'data = "{}"',
    'max-time = 10',
    'retry = 8',
    'retry-delay = 5',
    'retry-connrefused',
    'fail',
    'silent',
  ];
  return {
    write_files: [{ path: CALL_FILE, permissions: '0600', content: `${config.join('\n')}\n` }],
    runcmd: [['sh', '-c', CALL]],
  };
}
