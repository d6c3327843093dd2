import { BACKUP_BUCKET_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { BackupBucket } from './backup-bucket.service';

type Calls = typeof BACKUP_BUCKET_CALLS;

@Controller()
export class BackupBucketController {
  constructor(private readonly bucket: BackupBucket) {}

  @Serve(BACKUP_BUCKET_CALLS.set)
  set({ caller, params, body, reply }: CallInput<Calls['set']>) {
    reply.header('cache-control', 'no-store');
    return this.bucket.set(caller, params.id, body);
  }

  @Serve(BACKUP_BUCKET_CALLS.check)
  check({ caller, params }: CallInput<Calls['check']>) {
    return this.bucket.check(caller, params.id);
  }

  @Serve(BACKUP_BUCKET_CALLS.remove)
  remove({ caller, params }: CallInput<Calls['remove']>) {
    return this.bucket.remove(caller, params.id);
  }
}
