package npy

import (
	"bytes"
	"testing"
)

// FuzzRead: no input may panic, the size must not change what is accepted, and
// what is accepted must survive writing and reading again.
func FuzzRead(f *testing.F) {
	for _, shape := range sampleShapes {
		for _, data := range sampleData(product(shape)) {
			f.Add(encode(f, Array{Shape: shape, Data: data}))
		}
	}
	whole := npyBytes(1, vector3, 1, 2, 3)
	for n := range len(whole) {
		f.Add(whole[:n])
	}
	f.Add(append(whole, 4))
	f.Add(npyBytes(2, "{'descr': '>f8', 'fortran_order': True, 'shape': (1, 2)}", make([]byte, 16)...))
	f.Add(npyBytes(3, `{"shape": (2,2,), "descr": "=i2", "fortran_order": True}`, 1, 2, 3, 4, 5, 6, 7, 8))
	f.Add(npyBytes(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 0x80, 4, '.'))
	f.Add(npyBytes(1, "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,), }"))
	f.Add(npyBytes(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, -1), }"))
	f.Add(npyBytes(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846975,), }"))
	f.Add([]byte(magic + "\x02\x00\xff\xff\xff\xff{}"))

	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := Read(bytes.NewReader(file), int64(len(file)))
		stream, streamErr := Read(bytes.NewReader(file), -1)
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("with the size known %v, unknown %v", err, streamErr)
		}
		if err != nil {
			return
		}
		once := encode(t, a)
		if !bytes.Equal(once, encode(t, stream)) {
			t.Fatal("the array depends on whether the size is known")
		}
		again, err := Read(bytes.NewReader(once), int64(len(once)))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !bytes.Equal(once, encode(t, again)) {
			t.Fatal("the array changed on its way out and in")
		}
		if _, err := a.Float64s(); err != nil && a.Dtype() != "<i8" && a.Dtype() != "<u8" {
			t.Fatalf("%s: %v", a.Dtype(), err)
		}
	})
}

// FuzzReadArchive: the same for archives.
func FuzzReadArchive(f *testing.F) {
	w, meta := encode(f, New(sampleNumbers[float32](6), 2, 3)), []byte(`{"version": 1}`)
	objects := npyBytes(1, "{'descr': '|O', 'fortran_order': False, 'shape': (), }\n", 0x80, 4, '.')
	whole := zipOf(f, stored("W.npy", w), deflated("b/v.npy", w), deflated("meta.json", meta))
	f.Add(encodeArchive(f, sampleMembers()...))
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add(whole[20:])
	f.Add(append([]byte("#!/bin/sh\n"), whole...))
	f.Add(zipOf(f))
	f.Add(zipOf(f, stored("W.npy", w), stored("W", nil)))
	f.Add(zipOf(f, stored("o.npy", objects), stored("folder/", nil), stored("a\x00", nil)))
	f.Add(zipOf(f, deflated("z.npy", encode(f, New(make([]float64, 1<<14))))))
	f.Add(zipOf(f, deflated("W.npy", w).but(func(m *raw) { m.UncompressedSize64 = 1 << 40 })))
	f.Add(zipOf(f, stored("W.npy", w).but(func(m *raw) { m.CRC32 = 0 })))
	f.Add(zipOf(f, stored("W.npy", w).but(func(m *raw) { m.Flags = flagEncrypted })))
	f.Add(w)

	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := readArchive(file)
		if err != nil {
			return
		}
		once := encodeArchive(t, membersOf(t, a)...)
		again, err := readArchive(once)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !bytes.Equal(once, encodeArchive(t, membersOf(t, again)...)) {
			t.Fatal("the archive changed on its way out and in")
		}
	})
}

// membersOf is all of the archive that can be written again.
func membersOf(t testing.TB, a *Archive) []Member {
	t.Helper()
	var members []Member
	for _, name := range a.Arrays() {
		if array, err := a.Array(name); err == nil {
			members = append(members, ArrayMember(name, array))
		} else if a.unreadable[name] == nil {
			t.Fatal(err)
		}
	}
	for _, name := range a.Files() {
		data, err := a.File(name)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, FileMember(name, data))
	}
	return members
}
