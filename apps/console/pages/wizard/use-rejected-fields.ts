import { CONFIG_FIELDS, type WizardStep, wizardSteps } from '@moorage/domain';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../data/errors';
import { useWizard } from './wizard-context';

/**
 * Returns a function that goes to the first step with a field that the server rejected and shows the messages there.
 * Returns false if there is none.
 */
export function useRejectedFields(): (error: unknown) => boolean {
  const client = useQueryClient();
  const wizard = useWizard();
  return (error) => {
    if (!(error instanceof ApiError)) return false;
    const steps = wizardSteps(wizard.wizard.draft);
    const placed = error.fields.filter(({ path }) => stepOf(path, steps) !== null);
    const first = steps.find((step) => placed.some(({ path }) => stepOf(path, steps) === step));
    if (first === undefined) return false;
    if (placed.some(({ path }) => path === 'instance_type')) void client.invalidateQueries({ queryKey: ['catalogue'] });
    wizard.setProblems(Object.fromEntries(placed.toReversed().map(({ path, message }) => [path, message])));
    const address = placed.find(({ path }) => path === 'vps_ip_address');
    if (address !== undefined) wizard.refuseAddress(address.message);
    wizard.goTo(first);
    return true;
  };
}

const STEP_OF: Readonly<Record<string, WizardStep>> = {
  package: 'package',
  server_type: 'server',
  vps_ip_address: 'server',
  cloud_provider: 'cloud',
  region: 'region',
  instance_type: 'instance',
  support_level: 'support',
  user_ssh_key: 'config',
  ...Object.fromEntries(CONFIG_FIELDS.map((field) => [field, 'config'])),
};

function stepOf(path: string, steps: readonly WizardStep[]): WizardStep | null {
  const step = STEP_OF[path];
  return step !== undefined && steps.includes(step) ? step : null;
}
