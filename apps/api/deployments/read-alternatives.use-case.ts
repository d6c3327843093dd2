import type { AlternativeAnswer } from '@moorage/contracts';
import {
  alternativePlaces,
  DomainError,
  canOrderElsewhere,
  ORDER_MESSAGES,
  quotePrice,
  splitTypeName,
} from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Catalogues } from '../catalogue/catalogues.service';
import { PackageManifests } from '../catalogue/packages';
import { viewDeployment, type Viewer, type ViewRow } from './deployment-view';

@Injectable()
export class ReadAlternatives {
  constructor(
    private readonly db: Db,
    private readonly catalogues: Catalogues,
    private readonly packages: PackageManifests,
  ) {}

  /**
   * Returns no alternatives if the package or every suitable size is no longer offered. Throws DEPLOYMENT_STATE unless
   * the provider refused the size or region.
   */
  run({ viewer, id }: { viewer: Viewer; id: number }): Promise<AlternativeAnswer[]> {
    return this.db.tx('deployments.alternatives', async (tx) => {
      const row = await viewDeployment(tx, id, viewer);
      refuseOtherFailure(row);
      const { cloud_provider: provider, region, instance_type: instanceType, support_level: supportLevel } = row;
      const config = this.packages.find(row.package);
      if (config === null || provider === null || region === null || instanceType === null) return [];
      const catalogue = await this.catalogues.load(tx, provider);
      const places = alternativePlaces(catalogue, { provider, region, instanceType }, config.requires);
      return places.map(({ region: place, type }) => {
        const { hourly, daily } = quotePrice({ serverType: 'new', supportLevel, instanceHourly: type.hourlyCost });
        return {
          region: place.name,
          region_name: place.displayName,
          country_code: place.countryCode,
          instance_type: type.name,
          instance_type_name: splitTypeName(type.displayName).name,
          cpu: type.cpu,
          memory: type.memoryGb,
          hourly_cost: hourly.toWire(),
          daily_cost: daily.toWire(),
        };
      });
    });
  }
}

/** Throws DEPLOYMENT_STATE unless the deployment failed because its size or region was refused. */
export function refuseOtherFailure({ status, failure_code }: Pick<ViewRow, 'status' | 'failure_code'>): void {
  if (!canOrderElsewhere(status, failure_code)) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_sold_out);
}
