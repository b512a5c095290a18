/** A GPUDevice that does nothing and counts what it is asked for; buffers read as zeros. */

export interface GpuCounts {
  pipelines: number;
  /** Pipelines that were being compiled at the same time, at most. */
  compiling: number;
  passes: number;
  dispatches: number;
  workgroups: number;
  submits: number;
  readBacks: number;
  /** Bytes of all buffers that were made and not destroyed. */
  bytes: number;
}

const LIMITS = {
  maxBufferSize: 2 ** 30,
  maxStorageBufferBindingSize: 2 ** 30,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupsPerDimension: 65535,
  maxComputeWorkgroupStorageSize: 16_384,
};

function mockBuffer(counts: GpuCounts, { size }: GPUBufferDescriptor) {
  counts.bytes += size;
  let destroyed = false;
  return {
    size,
    mapState: "unmapped",
    async mapAsync() {
      counts.readBacks++;
      this.mapState = "mapped";
    },
    getMappedRange: () => new ArrayBuffer(size),
    unmap() {
      this.mapState = "unmapped";
    },
    destroy: () => {
      if (!destroyed) counts.bytes -= size;
      destroyed = true;
    },
  };
}

const mockPass = (counts: GpuCounts) => ({
  setPipeline: () => undefined,
  setBindGroup: () => undefined,
  dispatchWorkgroups: (members: number) => {
    counts.dispatches++;
    counts.workgroups += members;
  },
  end: () => undefined,
});

export interface MockGpu {
  readonly gpu: GPUDevice;
  /** Gives the device. */
  readonly adapter: GPUAdapter;
  readonly counts: GpuCounts;
  readonly lose: (message: string) => void;
  /** Reports an error, as a class of this name. */
  readonly fail: (name: string, message: string) => void;
}

export async function mockGpu(): Promise<MockGpu> {
  const { globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const counts: GpuCounts = {
    pipelines: 0,
    compiling: 0,
    passes: 0,
    dispatches: 0,
    workgroups: 0,
    submits: 0,
    readBacks: 0,
    bytes: 0,
  };
  let compiling = 0;
  let lose: MockGpu["lose"] = () => undefined;
  const lost = new Promise<Partial<GPUDeviceLostInfo>>((resolve) => {
    lose = (message) => resolve({ reason: "unknown", message });
  });
  const listeners: ((event: { error: object }) => void)[] = [];
  const fail: MockGpu["fail"] = (name, message) => {
    const error = { message, constructor: { name } };
    for (const listener of listeners) listener({ error });
  };
  const gpu = {
    limits: LIMITS,
    features: new Set<string>(),
    lost,
    addEventListener: (_type: string, listener: (event: { error: object }) => void) => {
      listeners.push(listener);
    },
    destroy: () => undefined,
    createBuffer: (descriptor: GPUBufferDescriptor) => mockBuffer(counts, descriptor),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createBindGroup: () => ({}),
    createShaderModule: () => ({}),
    createComputePipelineAsync: async () => {
      counts.pipelines++;
      counts.compiling = Math.max(counts.compiling, ++compiling);
      await new Promise((resolve) => setImmediate(resolve));
      compiling--;
      return {};
    },
    createCommandEncoder: () => ({
      beginComputePass: () => {
        counts.passes++;
        return mockPass(counts);
      },
      clearBuffer: () => undefined,
      copyBufferToBuffer: () => undefined,
      finish: () => ({}),
    }),
    queue: {
      writeBuffer: () => undefined,
      submit: () => {
        counts.submits++;
      },
      onSubmittedWorkDone: async () => undefined,
    },
  };
  const adapter = {
    info: { description: "Mock 9000", vendor: "", architecture: "", device: "", isFallbackAdapter: false },
    limits: LIMITS,
    features: new Set<string>(),
    requestDevice: async () => gpu,
  };
  // Only what the device of ours calls is there.
  const device = gpu as unknown as GPUDevice;
  // Only what a device is made from is there.
  const found = adapter as unknown as GPUAdapter;
  return { gpu: device, adapter: found, counts, lose, fail };
}
