import { stringify } from 'yaml';

/**
 * The cloud-init text a new server boots with: our key and nobody else's may log in (the customer's is authorised when the
 * deployment begins to cost money: nobody computes for free while the meter is off), and the server shows the host key that we pinned before
 * it existed (decisions 26). Nothing else: user-data stays readable on the server, so the bootstrap replaces that host key
 * over the pinned connection, and brings everything else.
 */
export function userData({ authorised, hostPrivateKey }: { authorised: string; hostPrivateKey: string }): string {
  return `#cloud-config\n${stringify({
    disable_root: false,
    ssh_pwauth: false,
    ssh_deletekeys: true,
    ssh_genkeytypes: [],
    ssh_keys: { ed25519_private: hostPrivateKey },
    ssh_authorized_keys: [authorised],
    users: ['default', { name: 'root', ssh_authorized_keys: [authorised] }],
  })}`;
}
