import { CLOUD_CALLBACKS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { CloudCallbacks } from './cloud-callbacks.service';

@Controller()
export class CloudCallbacksController {
  constructor(private readonly callbacks: CloudCallbacks) {}

  @Serve(CLOUD_CALLBACKS_CALLS.receive)
  receive({ params, query, rawBody, header }: CallInput<typeof CLOUD_CALLBACKS_CALLS.receive>) {
    return this.callbacks.receive(params.provider, { bytes: rawBody, header, key: query.key });
  }
}
