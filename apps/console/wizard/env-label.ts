import { ENV_NAMES, envLabel, type EnvName } from '@moorage/domain';
import { useText } from '../texts/console-i18n';

const isEnvName = (name: string): name is EnvName => (ENV_NAMES as readonly string[]).includes(name);

/** The label of an env name in the person's language; a name that no dictionary has shows as its words. */
export function useEnvLabel(): (env: string) => string {
  const t = useText();
  return (env) => (isEnvName(env) ? t(`wizard.env.${env}`) : envLabel(env));
}
