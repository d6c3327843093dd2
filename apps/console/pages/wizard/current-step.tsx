import { CloudStep } from './cloud-step';
import { ConfigStep } from './config-step';
import { ForgottenNote } from './forgotten-note';
import { InstanceStep } from './instance-step';
import { OrderError } from './order-error';
import { PackageStep } from './package-step';
import { RegionStep } from './region-step';
import { ReviewStep } from './review-step';
import { ServerStep } from './server-step';
import { SupportStep } from './support-step';
import type { Order } from './use-order';
import { useWizard } from './wizard-context';

/** Step that the wizard is at. `marked` counts how often Next was refused on it. */
export function CurrentStep({ marked, order }: { marked: number; order: Order }) {
  const { wizard } = useWizard();
  switch (wizard.step) {
    case 'package':
      return <PackageStep />;
    case 'server':
      return <ServerStep />;
    case 'cloud':
      return <CloudStep />;
    case 'region':
      return <RegionStep />;
    case 'instance':
      return <InstanceStep />;
    case 'config':
      return <ConfigStep marked={marked} />;
    case 'support':
      return <SupportStep />;
    case 'review':
      return (
        <ReviewStep>
          <ForgottenNote />
          <OrderError order={order} />
        </ReviewStep>
      );
  }
}
