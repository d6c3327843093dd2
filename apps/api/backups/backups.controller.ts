import { BACKUPS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { DeployCopy } from './deploy-copy.use-case';
import { ReadBackups } from './read-backups.use-case';
import { RequestBackup } from './request-backup.use-case';
import { RestoreBackup } from './restore-backup.use-case';

type Calls = typeof BACKUPS_CALLS;

@Controller()
export class BackupsController {
  constructor(
    private readonly reading: ReadBackups,
    private readonly requests: RequestBackup,
    private readonly restores: RestoreBackup,
    private readonly deployCopy: DeployCopy,
  ) {}

  @Serve(BACKUPS_CALLS.list)
  list({ caller, params }: CallInput<Calls['list']>) {
    return this.reading.list({ viewer: caller, id: params.id });
  }

  @Serve(BACKUPS_CALLS.create)
  create({ caller, params }: CallInput<Calls['create']>) {
    return this.requests.run({ viewer: caller, id: params.id });
  }

  @Serve(BACKUPS_CALLS.restore)
  restore({ caller, params, body }: CallInput<Calls['restore']>) {
    const { id, backup_id: backupId } = params;
    return this.restores.restore({ viewer: caller, id, backupId, reason: body.reason });
  }

  @Serve(BACKUPS_CALLS.undoRestore)
  undoRestore({ caller, params, body }: CallInput<Calls['undoRestore']>) {
    return this.restores.undo({ viewer: caller, id: params.id, reason: body.reason });
  }

  @Serve(BACKUPS_CALLS.deploy)
  deploy({ caller, params, body, idempotencyKey: key }: CallInput<Calls['deploy']>) {
    return this.deployCopy.run({ caller, id: params.id, backupId: params.backup_id, body, key });
  }

  @Serve(BACKUPS_CALLS.stale)
  stale() {
    return this.reading.stale();
  }
}
