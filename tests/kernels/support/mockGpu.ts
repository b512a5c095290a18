/** A GPUDevice that does nothing and counts what it is asked for; buffers read as zeros. */

export interface GpuCounts {
  pipelines: number;
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
};

function mockBuffer(counts: GpuCounts, { size }: GPUBufferDescriptor) {
  counts.bytes += size;
  let destroyed = false;
  return {
    size,
    mapAsync: async () => {
      counts.readBacks++;
    },
    getMappedRange: () => new ArrayBuffer(size),
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

export async function mockGpu(): Promise<{ gpu: GPUDevice; counts: GpuCounts }> {
  const { globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const counts: GpuCounts = {
    pipelines: 0,
    passes: 0,
    dispatches: 0,
    workgroups: 0,
    submits: 0,
    readBacks: 0,
    bytes: 0,
  };
  const gpu = {
    limits: LIMITS,
    features: new Set<string>(),
    lost: new Promise(() => undefined),
    addEventListener: () => undefined,
    destroy: () => undefined,
    createBuffer: (descriptor: GPUBufferDescriptor) => mockBuffer(counts, descriptor),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createBindGroup: () => ({}),
    createShaderModule: () => ({}),
    createComputePipelineAsync: async () => {
      counts.pipelines++;
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
  // Only what the device of ours calls is there.
  return { gpu: gpu as unknown as GPUDevice, counts };
}
