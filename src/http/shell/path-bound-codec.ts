// How a route of the contract reads its input. Path parameters name what a request is about, and authority is checked
// by them, so nothing else may override them: a field of the body or the query with the same name is refused, never
// merged.
import { StandardOpenAPICodec, type StandardOpenAPICodecOptions } from '@orpc/openapi/standard';
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard';
import { AppError } from '../../base/errors.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { requireText } from '../../base/parse-json.ts';
import { routePattern } from './route-pattern.ts';

type Decode = StandardOpenAPICodec['decode'];

/** Later code may recurse. */
const MAX_LEVELS = 100;

export class PathBoundCodec extends StandardOpenAPICodec {
  readonly #fields: StandardOpenAPISerializer;

  constructor(options: StandardOpenAPICodecOptions) {
    const serializer = new StandardOpenAPISerializer(
      new StandardOpenAPIJsonSerializer(),
      new StandardBracketNotationSerializer(),
    );
    super(serializer, options);
    this.#fields = serializer;
  }

  override async decode(...[request, params = {}, procedure]: Parameters<Decode>): Promise<unknown> {
    noteRequest({ route: routePattern(procedure['~orpc'].route.path), organization: params['org'] });
    try {
      const given = [request.url.searchParams, request.method === 'GET' ? undefined : await request.body()].map(
        (part) => this.#fields.deserialize(part),
      );
      const taken = Object.keys(params).filter((name) =>
        given.some((fields) => isFields(fields) && Object.hasOwn(fields, name)),
      );
      if (taken.length > 0)
        throw new AppError('invalid_request', Object.fromEntries(taken.map((name) => [name, 'is not a known field'])));
      if (given.some((fields) => isDeeperThan(MAX_LEVELS, fields)))
        throw new AppError('invalid_request', { body: `must not be nested deeper than ${MAX_LEVELS} levels` });
      requireText(given[1]);
      const input = await super.decode(request, params, procedure);
      // Anything other than an object would replace the parameters as well.
      if (!isFields(input)) throw new AppError('invalid_request', { body: 'must be an object' });
      return input;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('invalid_request', { body: 'must be valid JSON' }, { cause: error });
    }
  }
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}
