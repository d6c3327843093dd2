import { UPDATES_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ChangeUpdateSettings } from './change-update-settings.use-case';
import { ReadUpdates } from './read-updates.use-case';
import { RebootServer } from './reboot-server.use-case';
import { ReleaseRollouts } from './release-rollouts.service';
import { UpdateDeployment } from './update-deployment.use-case';

type Calls = typeof UPDATES_CALLS;

@Controller()
export class UpdatesController {
  constructor(
    private readonly updates: ReadUpdates,
    private readonly deployment: UpdateDeployment,
    private readonly settings: ChangeUpdateSettings,
    private readonly server: RebootServer,
    private readonly releases: ReleaseRollouts,
  ) {}

  @Serve(UPDATES_CALLS.read)
  read({ caller, params }: CallInput<Calls['read']>) {
    return this.updates.read({ viewer: caller, id: params.id });
  }

  @Serve(UPDATES_CALLS.update)
  update({ caller, params, body }: CallInput<Calls['update']>) {
    return this.deployment.update({ viewer: caller, id: params.id, ...body });
  }

  @Serve(UPDATES_CALLS.settings)
  changeSettings({ caller, params, body }: CallInput<Calls['settings']>) {
    const { reason, ...settings } = body;
    return this.settings.change({ viewer: caller, id: params.id, settings, reason });
  }

  @Serve(UPDATES_CALLS.reboot)
  reboot({ caller, params, body }: CallInput<Calls['reboot']>) {
    return this.server.reboot({ viewer: caller, id: params.id, ...body });
  }

  @Serve(UPDATES_CALLS.rollouts)
  rollouts() {
    return this.releases.list();
  }

  @Serve(UPDATES_CALLS.decide)
  decide({ caller, params, body }: CallInput<Calls['decide']>) {
    return this.releases.decide({ adminId: caller.userId, ...params, ...body });
  }
}
