import type { SshKeysAnswer } from '@moorage/contracts';
import { readKey, useRead } from './use-read';

export type SshKeys = SshKeysAnswer;
export type SshKey = SshKeys['keys'][number];

export const sshKeysKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/ssh-keys', { params: { id } });

/** Interval while a change is being applied. */
const POLL_MS = 5_000;

/** Loads the SSH keys of a deployment. Polls while a change is being applied. */
export function useSshKeys(id: number, enabled: boolean) {
  return useRead(
    'deployments',
    'GET /deployments/{id}/ssh-keys',
    { params: { id } },
    {
      enabled,
      refetchInterval: ({ state: { data } }) => (data?.state === 'applying' ? POLL_MS : false),
      retry: false,
    },
  );
}
