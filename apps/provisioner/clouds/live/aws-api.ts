import { Readable } from 'node:stream';
import type {
  $Command as Ec2Command,
  EC2Client,
  EC2ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-ec2';
import type { GetProductsCommandInput, GetProductsCommandOutput, PricingClient } from '@aws-sdk/client-pricing';
import { request } from 'undici';
import { CloudError } from '../cloud';
import { kindOfCode } from './aws-errors';
import { ANSWER_MS, boundedAgent, PAUSE_MS, whyOf, MESSAGE_MAX, redact } from './cloud-http';

export interface AwsAccount {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Replaces the endpoint of every region. */
  readonly baseUrl?: string | undefined;
  readonly pricesBaseUrl?: string | undefined;
}

/** Region that is enabled in every account. The price list is also served there. */
export const HOME = 'us-east-1';

const loadSdk = () => import('./aws-sdk');
type Sdk = Awaited<ReturnType<typeof loadSdk>>;
type Command<I extends ServiceInputTypes, O extends ServiceOutputTypes> = Ec2Command<
  I,
  O,
  EC2ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

/** The fields of the SDK's request that its own HTTP handlers use. */
interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The EC2 API of every region and the price list, through the SDK and bounded connections. Does not retry. Every
 * failure is a CloudError without secrets, `transient` if the request may have been carried out.
 */
export class AwsApi {
  private readonly regions = new Map<string, EC2Client>();
  private prices: PricingClient | undefined;

  constructor(private readonly account: AwsAccount) {}

  async ec2<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    region: string,
    signal: AbortSignal | undefined,
    command: (sdk: Sdk) => Command<I, O>,
  ): Promise<O> {
    if (!/^[a-z0-9-]+$/.test(region)) throw new CloudError('invalid', 'no region of that name exists');
    const sdk = await loadSdk();
    const { baseUrl = `https://ec2.${region}.amazonaws.com` } = this.account;
    const client = this.regions.get(region) ?? new sdk.EC2Client(this.config(region, baseUrl));
    this.regions.set(region, client);
    return this.answered(signal, (options) => client.send(command(sdk), options));
  }

  async products(input: GetProductsCommandInput, signal: AbortSignal | undefined): Promise<GetProductsCommandOutput> {
    const sdk = await loadSdk();
    const { pricesBaseUrl = `https://api.pricing.${HOME}.amazonaws.com` } = this.account;
    const client = (this.prices ??= new sdk.PricingClient(this.config(HOME, pricesBaseUrl)));
    return this.answered(signal, (options) => client.send(new sdk.GetProductsCommand(input), options));
  }

  /** Sets everything that the SDK would otherwise read from the environment and the user's files. */
  private config(region: string, endpoint: string) {
    const { accessKeyId, secretAccessKey } = this.account;
    return {
      region,
      endpoint,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts: 1,
      retryMode: 'standard',
      defaultsMode: 'standard' as const,
      useDualstackEndpoint: false,
      useFipsEndpoint: false,
      userAgentAppId: 'moorage',
      authSchemePreference: [],
      requestHandler: HANDLER,
    };
  }

  private async answered<T>(
    signal: AbortSignal | undefined,
    fetchPage: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const over = AbortSignal.timeout(ANSWER_MS);
    try {
      return await fetchPage({ abortSignal: signal === undefined ? over : AbortSignal.any([signal, over]) });
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private refusal(error: unknown): CloudError {
    if (error instanceof CloudError) return error;
    const { name, message, $metadata } = error as Error & { readonly $metadata?: { readonly httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode ?? 0;
    if (status < 300) return new CloudError('transient', `the response is not as expected (${name})`);
    const kind = kindOfCode(name, status);
    const { accessKeyId, secretAccessKey } = this.account;
    const words = redact([accessKeyId, secretAccessKey], `${status} ${name} ${message}`).slice(0, MESSAGE_MAX);
    // AWS does not report how long to wait.
    return new CloudError(kind, words, kind === 'rate_limit' ? PAUSE_MS : null);
  }
}

const agent = boundedAgent();
/** Replaces the SDK's request handler, to apply deadlines and limit the size of responses. */
const HANDLER = {
  async handle(
    { protocol, hostname, port, path, method, headers, body }: SdkRequest,
    { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
  ) {
    const address = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
    try {
      const answer = await request(address, {
        method: method as 'POST',
        headers: { ...headers },
        body: body ?? null,
        dispatcher: agent,
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      });
      const text = await answer.body.text();
      return {
        response: { statusCode: answer.statusCode, headers: headersOf(answer.headers), body: Readable.from([text]) },
      };
    } catch (error) {
      throw new CloudError('transient', `${method} ${hostname}: ${whyOf(error)}`);
    }
  },
  metadata: { handlerProtocol: 'http/1.1' },
  httpHandlerConfigs: () => ({}),
  updateHttpClientConfig: () => undefined,
};

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));

/** Number of regions or sizes that are queried concurrently. */
const AT_ONCE = 4;

/** Maps a few items at a time and preserves their order. */
export async function inTurns<T, R>(all: readonly T[], fetchPage: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    answers.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(fetchPage))));
  }
  return answers;
}
