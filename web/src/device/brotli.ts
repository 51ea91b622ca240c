/** Unpacking brotli in browsers that cannot: fetched by those alone. */

import { BrotliDecStream, BrotliStreamResultCode, initSync } from "brotli-dec-wasm/web";

type Bytes = Uint8Array<ArrayBuffer>;

/** So many bytes are unpacked at a time. */
const AT_ONCE = 1 << 18;

/** What makes streams that unpack, with the decoder's code. */
export function unpackingWith(code: Bytes): () => TransformStream<BufferSource, Bytes> {
  initSync({ module: code });
  return unpacking;
}

function unpacking(): TransformStream<BufferSource, Bytes> {
  const decoder = new BrotliDecStream();
  let last: BrotliStreamResultCode = BrotliStreamResultCode.NeedsMoreInput;
  return new TransformStream({
    transform(chunk, out) {
      let left = chunk as Bytes;
      do {
        const { code, buf, input_offset: taken } = decoder.dec(left, AT_ONCE);
        last = code;
        left = left.subarray(taken);
        out.enqueue(buf as Bytes);
      } while (left.length > 0 || last === BrotliStreamResultCode.NeedsMoreOutput);
    },
    flush() {
      decoder.free();
      if (last !== BrotliStreamResultCode.ResultSuccess) throw new TypeError("the file is cut off");
    },
  });
}
