import { stringify } from 'yaml';
import type { FirstBootCall } from '../callbacks/first-boot';

/** File in memory, which does not survive a reboot. */
const CALL_FILE = '/run/moorage-first-boot';
/** Runs in the background for a limited time, so that it neither delays nor fails the boot. */
const CALL = `(timeout 120 curl --config ${CALL_FILE}; rm -f ${CALL_FILE}) >/dev/null 2>&1 &`;

/**
 * Returns the cloud-init text with which a new server boots. Only our key may log in. The customer's key is authorised
 * when billing begins, so that the server cannot be used for free. The server presents a host key that was pinned
 * before it existed (decisions 26). User data stays readable on the server, so the bootstrap replaces that host key
 * over the pinned connection, and installs everything else. A call reports that the server has booted, with a token for
 * no other purpose.
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

/** The token is in a file that curl reads, so it appears in neither a shell nor the process list. */
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
