import { backupSecrets, deploymentSecrets, ownServerSecrets, SSH_PUBLIC_KEY, userSecrets } from '@moorage/contracts';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

interface Deployment {
  readonly id: number;
  readonly user_id: number;
}

const MARK = `
select coalesce(md5(string_agg(owner || ' ' || name || ' ' || encode(nonce, 'hex'), ',' order by owner, name)), '') as mark
from secrets where owner = any ($1::text[])`;

/** All secrets that may occur in the logs of a deployment. */
@Injectable()
export class LogSecrets {
  constructor(private readonly secrets: Secrets) {}

  /** Returns a mark that changes whenever one of the secrets does. */
  async mark(tx: Tx, deployment: Deployment): Promise<string> {
    const [row] = await tx.query<{ mark: string }>(MARK, [ownersOf(deployment)]);
    return row?.mark ?? '';
  }

  /** Returns the values, and each in base64, as basic authentication and manifests contain them. */
  async values(tx: Tx, deployment: Deployment): Promise<string[]> {
    const values: string[] = [];
    for (const owner of ownersOf(deployment)) {
      for (const name of await this.secrets.names(tx, owner)) {
        const value = name === SSH_PUBLIC_KEY ? null : await this.secrets.get(tx, owner, name);
        if (value !== null) values.push(value, Buffer.from(value).toString('base64').replace(/=+$/, ''));
      }
    }
    return values;
  }
}

const ownersOf = ({ id, user_id }: Deployment): string[] => [
  deploymentSecrets(id),
  backupSecrets(id),
  ownServerSecrets(user_id),
  userSecrets(user_id),
];
