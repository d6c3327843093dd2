import { HEALTH_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import { Serve } from '../http/serve';
import { HealthService } from './health.service';

@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Serve(HEALTH_CALLS.live)
  live() {
    return { status: 'live' as const };
  }

  @Serve(HEALTH_CALLS.ready)
  ready() {
    return this.health.ready();
  }

  @Serve(HEALTH_CALLS.docs)
  docs() {
    return this.health.docs();
  }
}
