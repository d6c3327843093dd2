import { ENV_NAMES, envLabel, type EnvName } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';

const isEnvName = (name: string): name is EnvName => (ENV_NAMES as readonly string[]).includes(name);

/** Returns the label of an env name in the user's language. Names missing from the dictionary are split into words. */
export function useEnvLabel(): (env: string) => string {
  const t = useText();
  return (env) => (isEnvName(env) ? t(`wizard.env.${env}`) : envLabel(env));
}
