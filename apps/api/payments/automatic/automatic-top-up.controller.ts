import { AUTOMATIC_TOP_UP_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../../http/call-input';
import { Serve } from '../../http/serve';
import { AutomaticTopUpService } from './automatic-top-up.service';

@Controller()
export class AutomaticTopUpController {
  constructor(private readonly automatic: AutomaticTopUpService) {}

  @Serve(AUTOMATIC_TOP_UP_CALLS.automaticTopUp)
  automaticTopUp({ caller }: CallInput<typeof AUTOMATIC_TOP_UP_CALLS.automaticTopUp>) {
    return this.automatic.read(caller);
  }

  @Serve(AUTOMATIC_TOP_UP_CALLS.changeAutomaticTopUp)
  changeAutomaticTopUp({ caller, body }: CallInput<typeof AUTOMATIC_TOP_UP_CALLS.changeAutomaticTopUp>) {
    return this.automatic.change(caller, body);
  }

  @Serve(AUTOMATIC_TOP_UP_CALLS.removeCard)
  removeCard({ caller }: CallInput<typeof AUTOMATIC_TOP_UP_CALLS.removeCard>) {
    return this.automatic.removeCard(caller);
  }

  @Serve(AUTOMATIC_TOP_UP_CALLS.automaticTopUpOf)
  automaticTopUpOf({ params }: CallInput<typeof AUTOMATIC_TOP_UP_CALLS.automaticTopUpOf>) {
    return this.automatic.readOf(params.id);
  }

  @Serve(AUTOMATIC_TOP_UP_CALLS.stopAutomaticTopUp)
  stopAutomaticTopUp({ caller, params, body }: CallInput<typeof AUTOMATIC_TOP_UP_CALLS.stopAutomaticTopUp>) {
    return this.automatic.stop(caller, params.id, body.reason);
  }
}
