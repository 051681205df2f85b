package interchange

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"instanton/internal/npy"
	"instanton/rbm"
)

// A safetensors file is a length, a JSON object that says where each tensor lies, and the tensors.

const safetensorsMeta = "__metadata__"

type safetensor struct {
	Dtype   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

func isSafetensors(head []byte, size int64) bool {
	if len(head) < 9 {
		return false
	}
	n := binary.LittleEndian.Uint64(head)
	return n >= 2 && n <= uint64(size-8) && head[8] == '{'
}

func readSafetensors(file []byte) (tensors, map[string]string, error) {
	n := int(binary.LittleEndian.Uint64(file)) // checked by isSafetensors
	var header map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+n], &header); err != nil {
		return nil, nil, fmt.Errorf("the header is no JSON: %w", err)
	}
	data := file[8+n:]
	t, about := tensors{}, map[string]string{}
	for name, text := range header {
		if name == safetensorsMeta {
			if err := json.Unmarshal(text, &about); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		var s safetensor
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		lo, hi := s.Offsets[0], s.Offsets[1]
		if lo < 0 || hi < lo || hi > int64(len(data)) {
			return nil, nil, fmt.Errorf("tensor %q lies outside the file", name)
		}
		a, err := decodeTensor(s.Dtype, s.Shape, data[lo:hi])
		if err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		t[name] = a
	}
	return t, about, nil
}

// decodeTensor reads numbers in little endian, as many as there are bytes for.
func decodeTensor(dtype string, shape []int, raw []byte) (npy.Array, error) {
	size, ok := map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U8": 1, "BOOL": 1}[dtype]
	if !ok {
		return npy.Array{}, fmt.Errorf("numbers of type %q: expected F64, F32, F16, BF16, I64, I32, U8 or BOOL", dtype)
	}
	count, err := elementCount(shape, len(raw)/size)
	if err != nil {
		return npy.Array{}, err
	}
	if count*size != len(raw) {
		return npy.Array{}, fmt.Errorf("shape %v of %s takes %d bytes, but there are %d", shape, dtype,
			count*size, len(raw))
	}
	le := binary.LittleEndian
	out := make([]float64, count)
	for i := range out {
		b := raw[i*size:]
		switch dtype {
		case "F64":
			out[i] = math.Float64frombits(le.Uint64(b))
		case "F32":
			out[i] = float64(math.Float32frombits(le.Uint32(b)))
		case "BF16":
			out[i] = float64(math.Float32frombits(uint32(le.Uint16(b)) << 16))
		case "F16":
			out[i] = half(le.Uint16(b))
		case "I64":
			out[i] = float64(int64(le.Uint64(b)))
		case "I32":
			out[i] = float64(int32(le.Uint32(b)))
		default:
			out[i] = float64(b[0])
		}
	}
	return npy.Array{Shape: shape, Data: out}, nil
}

// elementCount is the product of a shape, if it is at most the given number.
func elementCount(shape []int, most int) (int, error) {
	count := 1
	for _, n := range shape {
		if n < 0 || n > 0 && count > most/n {
			return 0, fmt.Errorf("shape %v is more than the file holds", shape)
		}
		count *= n
	}
	return count, nil
}

// half decodes an IEEE number of 16 bits.
func half(x uint16) float64 {
	sign := 1.0
	if x>>15 == 1 {
		sign = -1
	}
	exponent, fraction := int(x>>10&31), float64(x&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// writeSafetensors writes the arrays of the model file in float64, and what the layers are.
func writeSafetensors(w io.Writer, m *rbm.RBM) error {
	type named struct {
		name string
		a    npy.Array
	}
	rows, cols := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	all := []named{{"W", npy.New(m.W, rows, cols)}}
	for _, p := range m.Visible.Params() {
		all = append(all, named{"v." + p.Name, npy.New(p.Data, p.Shape...)})
	}
	for _, p := range m.Hidden.Params() {
		all = append(all, named{"h." + p.Name, npy.New(p.Data, p.Shape...)})
	}
	about := map[string]string{"visible": m.Visible.Spec().String(), "hidden": m.Hidden.Spec().String()}
	if letters := m.Info["alphabet"]; letters != "" {
		about["alphabet"] = letters
	}
	header := map[string]any{safetensorsMeta: about}
	var data []byte
	for _, t := range all {
		values, ok := t.a.Data.([]float64)
		if !ok {
			return errors.New("the parameters are not float64")
		}
		lo := int64(len(data))
		for _, x := range values {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		header[t.name] = safetensor{"F64", t.a.Shape, [2]int64{lo, int64(len(data))}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	_, err = w.Write(append(append(out, text...), data...))
	return err
}
