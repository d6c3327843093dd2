import { CATALOGUE_CALLS, PRICING_CALLS } from '@moorage/contracts';
import { cloudMix } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ApiSettings } from '../settings';
import { CatalogueService } from './catalogue.service';
import { shownPrices } from './shown-prices';

@Controller()
export class CatalogueController {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly settings: ApiSettings,
  ) {}

  @Serve(CATALOGUE_CALLS.packages)
  packages() {
    return this.catalogue.packages();
  }

  @Serve(CATALOGUE_CALLS.packageConfig)
  packageConfig({ params }: CallInput<typeof CATALOGUE_CALLS.packageConfig>) {
    return this.catalogue.packageConfig(params.name);
  }

  @Serve(CATALOGUE_CALLS.cloudProviders)
  cloudProviders({ query, reply }: CallInput<typeof CATALOGUE_CALLS.cloudProviders>) {
    // `sandbox`, `mixed` or `live`, depending on whether new servers are simulated.
    reply.header('x-cloud-mode', cloudMix(this.settings.clouds));
    return this.catalogue.providers(query.package);
  }

  @Serve(CATALOGUE_CALLS.regions)
  regions({ params, query }: CallInput<typeof CATALOGUE_CALLS.regions>) {
    return this.catalogue.regions(params.provider, query.package);
  }

  @Serve(CATALOGUE_CALLS.instanceTypes)
  instanceTypes({ params, query }: CallInput<typeof CATALOGUE_CALLS.instanceTypes>) {
    return this.catalogue.instanceTypes(params, query.package);
  }

  @Serve(CATALOGUE_CALLS.suggestedPlace)
  suggestedPlace({ query }: CallInput<typeof CATALOGUE_CALLS.suggestedPlace>) {
    return this.catalogue.suggestedPlace(query.package, query.time_zone ?? '');
  }

  @Serve(PRICING_CALLS.prices)
  prices() {
    return shownPrices();
  }

  @Serve(PRICING_CALLS.calculatePrice)
  calculatePrice({ body }: CallInput<typeof PRICING_CALLS.calculatePrice>) {
    return this.catalogue.calculate(body);
  }
}
