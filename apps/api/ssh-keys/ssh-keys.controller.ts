import { SSH_KEYS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { SshKeys } from './ssh-keys.service';

type Calls = typeof SSH_KEYS_CALLS;

@Controller()
export class SshKeysController {
  constructor(private readonly keys: SshKeys) {}

  @Serve(SSH_KEYS_CALLS.list)
  list({ caller, params }: CallInput<Calls['list']>) {
    return this.keys.list({ viewer: caller, id: params.id });
  }

  @Serve(SSH_KEYS_CALLS.add)
  add({ caller, params, body }: CallInput<Calls['add']>) {
    const { reason, ...key } = body;
    return this.keys.add({ viewer: caller, id: params.id, reason }, key);
  }

  @Serve(SSH_KEYS_CALLS.remove)
  remove({ caller, params, query }: CallInput<Calls['remove']>) {
    return this.keys.remove({ viewer: caller, id: params.id, reason: query.reason }, params.key_id);
  }
}
