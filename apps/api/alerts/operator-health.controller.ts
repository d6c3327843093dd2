import { HEALTH_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import { Serve } from '../http/serve';
import { OperatorHealth } from './operator-health.service';

@Controller()
export class OperatorHealthController {
  constructor(private readonly health: OperatorHealth) {}

  @Serve(HEALTH_CALLS.details)
  details() {
    return this.health.read();
  }
}
